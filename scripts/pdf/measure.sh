#!/usr/bin/env bash
# Compares readers of PDF with the HTML of the same 20 manuals of Debian 12, as ADR 0036 says.
# Wants apt-get, python3, pdftotext and Go. The folder keeps what is downloaded.
# usage: measure.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"/{deb,root,pdf,out/raw,out/poppler,out/pdfium}
cd "$1"
(cd deb && apt-get -q download debian-reference-{en,ja,zh-cn} developers-reference bash-doc maint-guide maint-guide-zh-cn debian-policy \
  debian-faq r-doc-html r-doc-pdf shared-mime-info installation-guide-amd64)
for d in deb/*.deb; do dpkg -x "$d" root; done
share=root/usr/share
cp $share/debian-reference/debian-reference.{en,zh-cn,ja}.pdf $share/developers-reference/developers-reference.pdf \
  $share/doc/bash/{bash,bashref}.pdf $share/doc/maint-guide*/maint-guide.*.pdf $share/R/doc/manual/R-{intro,exts,lang}.pdf \
  $share/doc/shared-mime-info/shared-mime-info-spec.pdf pdf/
zcat $share/doc/debian-policy/policy.pdf.gz >pdf/policy.pdf
zcat $share/doc/debian-policy/fhs/fhs-3.0.pdf.gz >pdf/fhs-3.0.pdf
zcat $share/doc/debian/FAQ/debian-faq.en.pdf.gz >pdf/debian-faq.en.pdf
for l in de ru ko vi zh_CN; do zcat $share/doc/installation-guide-amd64/$l/install.$l.pdf.gz >pdf/install.$l.pdf; done
for f in pdf/*.pdf; do
  pdftotext -raw -enc UTF-8 "$f" "out/raw/$(basename "$f").txt"
  pdftotext -enc UTF-8 "$f" "out/poppler/$(basename "$f").txt"
done
rm -rf module && mkdir module && cp "$here/pdfium.go" module/main.go
(cd module && sed -i 1,2d main.go && go mod init pdfium && go get github.com/klippa-app/go-pdfium@v1.21.4 && go mod tidy && go build -o pdfium .)
module/pdfium out/pdfium pdf/*.pdf
python3 "$here/score.py" "$PWD" raw poppler pdfium
