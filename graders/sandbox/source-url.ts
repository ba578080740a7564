/** File name that V8 prints for frames of a submission: set by its `sourceURL`, looked for in every stack. */
export const SOURCE_URL = "bucle-submission.mjs";
