/** Deepest nesting of an answer. The platform's have five levels. */
const DEPTH_MAX = 100;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENINGS, CLOSINGS] = [
  [0x5b, 0x7b],
  [0x5d, 0x7d],
];

/** Whether a text of JSON is nested so deeply that who writes or compares its value could run out of stack. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (OPENINGS.includes(code)) depth += 1;
    else if (CLOSINGS.includes(code)) depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
