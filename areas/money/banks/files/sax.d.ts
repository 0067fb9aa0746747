/** The parts of the parser that are used: it brings no types of its own. */
declare module 'sax' {
  interface Parser {
    onerror: (error: Error) => void
    ondoctype: (text: string) => void
    onopentag: (tag: { name: string; attributes: Record<string, string> }) => void
    onclosetag: (name: string) => void
    ontext: (text: string) => void
    oncdata: (text: string) => void
    line: number
    write(chunk: string): Parser
    close(): Parser
  }
  const sax: {
    parser(strict: boolean, options?: { trim?: boolean; position?: boolean; unparsedEntities?: boolean }): Parser
  }
  export default sax
}
