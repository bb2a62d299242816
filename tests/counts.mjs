// Adds up the result files in a folder and prints "N passed, N failed, N skipped":
// `node tests/counts.mjs <folder> [--stage-failed]`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, stageFailed] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };

const number = (text, pattern) => Number(pattern.exec(text)?.[1] ?? 0);

/** CTest knows a Catch2 program as one test; the program's own summary says how many it held. */
function countCtest(coloured) {
  const xml = coloured.replaceAll(/\[NON-XML-CHAR-0x1B\]\[[\d;]*m/g, '');
  for (const test of xml.split('<testcase ').slice(1)) {
    const cases = number(test, /All tests passed \(\d+ assertions? in (\d+) test cases?\)/);
    const summary = /test cases: +\d+ +\|[^\n]*/.exec(test)?.[0] ?? '';
    // A Catch2 case that finds nothing to do says so in a warning and ends as passed.
    const skipped = test.match(/warning:\s+skipped: /g)?.length ?? 0;
    const passed = (cases || number(summary, /(\d+) passed/)) - skipped;
    const failed = number(summary, /(\d+) failed/);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    if (cases || summary) continue;
    const status = /status="(\w+)"/.exec(test)?.[1];
    if (status === 'run') total.passed += 1;
    else if (status === 'fail') total.failed += 1;
    else total.skipped += 1;
  }
}

function countVitest(json) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(json);
  total.passed += numPassedTests;
  total.failed += numFailedTests;
  total.skipped += numPendingTests + numTodoTests;
}

// Beside the results lie the pictures that the browser tests keep.
for (const name of readdirSync(folder).filter((one) => /\.(?:xml|json)$/.test(one))) {
  const text = readFileSync(join(folder, name), 'utf8');
  if (name.endsWith('.xml')) countCtest(text);
  else countVitest(text);
}
if (stageFailed && total.failed === 0) total.failed = 1;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
