// Writes the package.json of each package that is published: the package itself, and one with the program for each
// platform, of which npm installs the one that fits the machine.
//
// usage: pack.mjs VERSION FOLDER PLATFORM...
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [version, folder, ...platforms] = process.argv.slice(2);
const all = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];
const write = (name, value) => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "package.json"), `${JSON.stringify(value, null, 2)}\n`);
};

const { devDependencies: _, ...main } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
write("assay-eval", { ...main, version, optionalDependencies: Object.fromEntries(all.map((name) => [`@assay-eval/${name}`, version])) });

for (const platform of platforms) {
  const [os, cpu] = platform.split("-");
  write(platform, {
    name: `@assay-eval/${platform}`,
    version,
    description: `The program of assay-eval for ${platform}`,
    license: main.license,
    repository: main.repository,
    os: [os],
    cpu: [cpu],
    files: ["bin", "LICENSE", "NOTICE"],
    preferUnplugged: true,
  });
}
