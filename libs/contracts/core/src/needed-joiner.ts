/**
 * A joiner or a selector of a variant that an emoji or a script needs: it follows a letter or a sign that is seen, of no
 * script that is written without them. After one that is, such as Latin, it cannot be seen, so the client and the console
 * show it as they show other invisible characters.
 */
export const NEEDED_JOINER =
  /(?<=[^\p{ASCII}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\p{DI}]\ufe0f?)[\u200c\u200d\p{VS}]|\ufe0f(?=\u20e3)/u;
