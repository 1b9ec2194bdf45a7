/**
 * Travels with a link to the sign-in page, which otherwise sends signed-in people away: the server may have refused a
 * token that has not run out.
 */
export const signInAgain = 'sign-in-again';
