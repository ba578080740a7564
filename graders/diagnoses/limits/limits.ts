/**
 * How often something must have happened before a run is ended as a loop.
 * All are counts, never times, and all lie well above the 10 to 15 turns that a cap of a student's own would allow,
 * so that a loop with a cap is always seen to its end.
 */

/** Good runs of a call beyond the times replies asked for it. An honest host runs a call that went well once. */
export const SURPLUS_RUNS = 25;

/** The same, in a submission that was seen to do so SURPLUS_RUNS times in another conversation. */
export const SURPLUS_RUNS_AGAIN = 5;

/** The very same body rejected in a row. The API's answer cannot change: nothing in it depends on when it is sent. */
export const REJECTED_IN_A_ROW = 10;

/** Rejections in a row whatever was sent: for loops that push the error text and try again. */
export const REJECTIONS_IN_A_ROW = 60;

/** Server failures in a row: 20 calls of the SDK with its two retries each. */
export const FAULTS_IN_A_ROW = 60;

/** Refusals in a row. */
export const REFUSALS_IN_A_ROW = 10;

/** The same tool call failed in a row. Retrying a failed tool is honest; a hundred times is no retry policy. */
export const TOOL_FAILURES_IN_A_ROW = 100;

/** Times a history that already had its complete reply was sent again. */
export const SAME_HISTORY = 10;

/** Times one turn of the script was given because no history ever held it. Well over SURPLUS_RUNS, for the same reason as AFTER_END. */
export const SAME_TURN = 60;

/**
 * Times the conversation's last reply was given. Well over SURPLUS_RUNS: a loop that throws each reply away gets the last
 * one as often as it runs its stale calls, and that cause must speak first.
 */
export const AFTER_END = 60;

/** Requests beside the conversation, with no turn between them. */
export const ASIDES_IN_A_ROW = 60;

/** Tool calls that no reply asked for. */
export const UNASKED_RUNS = 250;

/** A never-ending conversation goes on up to CAP_FACTOR * cap + CAP_SLACK replies: off-by-one, large and soft caps stay visible. */
export const CAP_FACTOR = 2;
export const CAP_SLACK = 10;

/** The same where the exercise demands no cap. */
export const UNCAPPED_REPLIES = 250;
