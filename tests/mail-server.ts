import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'

/** How the server behaves: takes mails, refuses every one for now, or takes the line and never answers again. */
export type Mood = 'well' | 'refuses' | 'hangs'

/** A mail server in the process, which keeps what it is handed. */
export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string
  /** What was taken, oldest first. */
  readonly mails: readonly Email[]
  mood: Mood
  /** The newest mail to an address, of those after the first `after`; waits for it. */
  mailTo(address: string, after?: number): Promise<Email>
  stop(): Promise<void>
}

/** Starts one on a free port of this machine, without encryption. */
export async function openMailServer(): Promise<MailServer> {
  const mails: Email[] = []
  let mood: Mood = 'well'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom(_address, _session, next) {
      if (mood !== 'hangs') next(mood === 'well' ? null : new Error('Come again later'))
    },
    async onData(stream, _session, done) {
      mails.push(await PostalMime.parse(await buffer(stream)))
      done()
    },
  })
  // A client that goes away in the middle is no fault of the test.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get mood() {
      return mood
    },
    set mood(next) {
      mood = next
    },
    async mailTo(address, after = 0) {
      const found = () => mails.slice(after).findLast((mail) => mail.to?.some((one) => one.address === address))
      await expect.poll(found, { message: `a mail to ${address}`, timeout: 45_000 }).toBeDefined()
      return found()!
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
