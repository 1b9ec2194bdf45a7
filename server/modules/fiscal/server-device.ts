/** The device of the server's own chains. */
export const serverDevice = 0;
