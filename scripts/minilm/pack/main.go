// Command pack packs the weights of the embedded model: the high bytes of all halves, which repeat,
// before the low bytes, which do not, in one frame of Zstandard.
//
// usage: pack minilm.bin minilm.zst
package main

import (
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: pack minilm.bin minilm.zst")
	}
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	// Lesser levels leave the high bytes as they are.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		log.Fatal(err)
	}
	planes := make([]byte, 0, len(data))
	for at := range 2 {
		for i := 1 - at; i < len(data); i += 2 {
			planes = append(planes, data[i])
		}
	}
	if err := os.WriteFile(os.Args[2], z.EncodeAll(planes, nil), 0o644); err != nil {
		log.Fatal(err)
	}
}
