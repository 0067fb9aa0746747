/** Fewest characters of a password: said beside the field, checked by the server. */
export const PASSWORD_MIN = 10
