// Prints every address, kind of request and filter by which the lists that are
// named would block it. Reads {lists, urls, types, source} from standard input.
const { readFileSync } = require("node:fs");
const { FiltersEngine, Request } = require("@ghostery/adblocker");

const { lists, urls, types, source } = JSON.parse(readFileSync(0, "utf8"));
const engine = FiltersEngine.parse(lists.map(path => readFileSync(path, "utf8")).join("\n"));
const blocked = [];
for (const url of urls) {
  for (const type of types) {
    const { match } = engine.match(Request.fromRawDetails({ url, type, sourceUrl: source }));
    if (match) blocked.push(url + " as " + type);
  }
}
process.stdout.write(JSON.stringify(blocked));
