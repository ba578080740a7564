/**
 * What must be there before the SDK and the student's code are loaded, in this order: the clock (everything captures it),
 * a key (the SDK wants one when a client is made), MSW and our own `fetch` over it (a client captures `fetch` when it is made).
 */
import "./clock.ts";
import "./environment.ts";
import "./primordials.ts";
import "./intercept.ts";
import "./fetch.ts";
