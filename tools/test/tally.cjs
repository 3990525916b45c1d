/** The result of the run, which jest's reporter and the command share. */
const tally = { line: undefined, notRun: 0, onEnd: undefined };

module.exports = { tally };
