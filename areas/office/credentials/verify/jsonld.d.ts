/** What the product uses of `jsonld`, which has no types of its own. */
declare module 'jsonld' {
  interface LoadedDocument {
    readonly documentUrl: string
    readonly document: unknown
    readonly contextUrl?: undefined
  }
  interface Options {
    readonly documentLoader: (url: string) => Promise<LoadedDocument>
    readonly base: null
    readonly safe: true
  }
  const jsonld: {
    /** @throws {Error} `name` `jsonld.…`, `details.code` of the specification; in safe mode `details.event` */
    expand(document: object, options: Options): Promise<readonly unknown[]>
    canonize(
      document: object,
      options: Options & { algorithm: 'RDFC-1.0'; format: 'application/n-quads' },
    ): Promise<string>
  }
  export default jsonld
}
