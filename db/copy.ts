import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import type pg from 'pg'

/** The parts of the driver's connection that COPY needs; its types leave them out. */
interface Wire {
  readonly stream: NodeJS.WritableStream & { pause(): void; resume(): void; writableNeedDrain: boolean }
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** What the driver calls for a statement that handles its own messages. */
class Statement {
  protected readonly text: string
  private failure: Error | undefined
  private rows = 0
  private readonly done = Promise.withResolvers<number>()
  constructor(text: string) {
    this.text = text
  }
  /** Rows that were copied, once the statement has ended. */
  get ended(): Promise<number> {
    return this.done.promise
  }
  submit(wire: Wire): void {
    wire.query(this.text)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
  }
  handleError(error: Error): void {
    this.failure = error
    this.finish(error)
    this.done.reject(error)
  }
  handleReadyForQuery(): void {
    if (this.failure) return
    this.finish()
    this.done.resolve(this.rows)
  }
  protected finish(_error?: Error): void {}
}

class CopyOut extends Statement {
  readonly output = new PassThrough({ highWaterMark: 1 << 20 })
  private wire: Wire | undefined
  override submit(wire: Wire): void {
    this.wire = wire
    this.output.on('drain', () => wire.stream.resume())
    super.submit(wire)
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver uses its buffer again.
    if (!this.output.write(Buffer.from(chunk))) this.wire?.stream.pause()
  }
  protected override finish(error?: Error): void {
    this.wire?.stream.resume()
    if (error) this.output.destroy(error)
    else this.output.end()
  }
}

class CopyIn extends Statement {
  private readonly source: AsyncIterable<Uint8Array>
  /** Why the source gave up: that is to be told, not that the statement was ended for it. */
  private given: Error | undefined
  constructor(text: string, source: AsyncIterable<Uint8Array>) {
    super(text)
    this.source = source
  }
  handleCopyInResponse(wire: Wire): void {
    void this.send(wire)
  }
  private async send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of this.source) {
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
      }
      wire.endCopyFrom()
    } catch (error) {
      this.given = error instanceof Error ? error : new Error(String(error))
      wire.sendCopyFail(this.given.message)
    }
  }
  override handleError(error: Error): void {
    super.handleError(this.given ?? error)
  }
}

/** Runs `COPY … TO STDOUT`. `rows` resolves when all was read. */
export function copyOut(client: pg.Client, text: string): { output: Readable; rows: Promise<number> } {
  const statement = new CopyOut(text)
  // Whoever reads hears of a failure there.
  statement.ended.catch(() => {})
  client.query(statement as never)
  return { output: statement.output, rows: statement.ended }
}

/** Runs `COPY … FROM STDIN` with a source; answers how many rows were written. */
export function copyIn(client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const statement = new CopyIn(text, source)
  client.query(statement as never)
  return statement.ended
}
