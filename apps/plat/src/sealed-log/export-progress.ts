const NOTE_MILLISECONDS = 5_000;

/** Says from time to time how far an export is. @param note writes a line to stderr */
export function exportProgress(note: (line: string) => void): (entries: number, of: number) => void {
  let last = Date.now();
  return (entries, of) => {
    if (Date.now() - last < NOTE_MILLISECONDS) return;
    last = Date.now();
    note(`${entries} of ${of} entries …`);
  };
}
