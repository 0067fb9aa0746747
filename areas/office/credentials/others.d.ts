/** Programs of others by which tests verify what is issued; they have no types. */
declare module '@digitalbazaar/vc' {
  export const verifyCredential: (options: object) => Promise<{ verified: boolean }>
}
declare module '@digitalcredentials/vc' {
  export const verifyCredential: (options: object) => Promise<{ verified: boolean }>
}
declare module '@digitalbazaar/data-integrity' {
  export const DataIntegrityProof: new (options: object) => object
}
declare module '@digitalcredentials/data-integrity' {
  export const DataIntegrityProof: new (options: object) => object
}
declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object
}
declare module '@digitalcredentials/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object
}
