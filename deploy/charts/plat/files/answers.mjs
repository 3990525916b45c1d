// Asks each address of the arguments once, and ends with 1 if one does not answer 200 within ten seconds.
const addresses = process.argv.slice(1);
const asked = addresses.map(async (address) => {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    return { address, result: `${answer.status} ${await answer.text()}`, isGood: answer.status === 200 };
  } catch (error) {
    return { address, result: String(error.cause ?? error), isGood: false };
  }
});
for (const { address, result, isGood } of await Promise.all(asked)) {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${address} ${result}`);
  if (!isGood) process.exitCode = 1;
}
if (addresses.length === 0) process.exitCode = 1;
