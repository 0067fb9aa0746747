let nonce = ''
/** The nonce with which this page was served. */
export const setStyleNonce = (given: string): void => {
  nonce = given
}
/** For style elements that are written into the page: the policy admits no others. */
export const styleNonce = (): string => nonce
