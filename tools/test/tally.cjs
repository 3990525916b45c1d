/** What the run came to; jest's reporter and the command share it. */
const tally = { line: undefined, notRun: 0, onEnd: undefined };

module.exports = { tally };
