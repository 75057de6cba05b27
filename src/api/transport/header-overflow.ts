import errors from "undici/lib/core/errors.js";

/**
 * The error of every answer with too many headers. The library makes one, with its stack, for each header beyond the limit in the
 * bytes that it has read, also after the first has closed the connection (undici 7.30 and 8.12): 10,000 short headers took 80 ms of
 * the event loop. `client-h1.js` takes the class when it loads, so this file must be imported before the pool.
 */
export const HEADER_OVERFLOW = new errors.HeadersOverflowError();

errors.HeadersOverflowError = new Proxy(errors.HeadersOverflowError, { construct: () => HEADER_OVERFLOW });
