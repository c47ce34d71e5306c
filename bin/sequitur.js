#!/usr/bin/env node
// Plain old JavaScript, with no import or export statement, so that an old Node gets as far as the message below.
var wanted = [22, 13];
var found = process.versions.node.split(".").map(Number);

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    "sequitur needs Node.js " +
      wanted.join(".") +
      " or newer, and this is " +
      process.version +
      " (" +
      process.execPath +
      ").\n" +
      "Install a newer Node.js, or run it inside a project that depends on the package `node`: npx sequitur …",
  );
  process.exitCode = 2;
} else {
  // Code that was compiled once is kept for the next start.
  process.getBuiltinModule("node:module").enableCompileCache();
  import("../dist/bundle/cli.js")
    .then((cli) => cli.main(process.argv.slice(2)))
    .then(
      (code) => {
        process.exitCode = code;
        // A tool may have left something running; nobody waits for it.
        process.stdout.write("", () => process.stderr.write("", () => process.exit()));
      },
      (error) => {
        var isUnbuilt =
          error && error.code === "ERR_MODULE_NOT_FOUND" && /dist.bundle.cli\.js/.test(error.message);
        console.error(isUnbuilt ? "sequitur is not built yet. Run: npm run build" : error);
        process.exitCode = isUnbuilt ? 2 : 70;
      },
    );
}
