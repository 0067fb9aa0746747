import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { fill } from '#kit/contract/index.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { shippedMail } from './notice-texts.ts'

/** A mail from the catalogue `locales/{lang}/mail.json`. */
export interface MailInput {
  /** Address of the reader. */
  readonly to: string
  /** The reader's language; Arabic when unknown. */
  readonly lang: Language | null
  /** Key of subject and text. */
  readonly key: string
  /** Fills the places of both. */
  readonly data?: Readonly<Record<string, string | number>>
  /** By which mail servers know it again, should it be sent twice. */
  readonly id?: string
  /** Page where the reader stops such mails. */
  readonly unsubscribe?: string
  /** Files that go with it. */
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer }[]
}

export interface Mail {
  /**
   * Hands a mail to the mail server. Call it from a job, which is repeated when it fails; not while somebody waits.
   *
   * @throws when the mail server does not take it, or the key has no text
   */
  send(mail: MailInput): Promise<void>
  /** Whether the mail server answers and lets us in; sends nothing. @throws when not */
  verify(): Promise<void>
  close(): void
}

const escape = (s: string): string =>
  s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)

/** What a mail says, with places to fill. */
export interface MailText {
  readonly subject: string
  readonly text: string
}

/**
 * Subject, plain text and HTML of a mail, in the direction of its language. Neither the text nor what fills it can bring HTML
 * or a second line of a header.
 */
export function composeMail(
  { lang, key, data = {} }: Omit<MailInput, 'to'>,
  own: MailText | null = null,
): {
  subject: string
  text: string
  html: string
} {
  const language = lang ?? 'ar'
  const found = own ?? shippedMail(key, language)
  const text = fill(found.text, data)
  const paragraphs = found.text
    .split('\n\n')
    .map((p) =>
      escape(p)
        .replace(/\{(\w+)\}/g, (whole, name: string) => {
          const value = data[name]
          if (value === undefined) return whole
          const shown = escape(String(value))
          return /^https?:\/\//.test(String(value))
            ? `<a href="${shown}" dir="ltr">${shown}</a>`
            : `<bdi>${shown}</bdi>`
        })
        .replaceAll('\n', '<br>'),
    )
    .map((p) => `<p>${p}</p>`)
  const dir = language === 'ar' ? 'rtl' : 'ltr'
  const html = `<!doctype html><html lang="${language}" dir="${dir}"><body style="font:16px/1.6 sans-serif;text-align:start">${paragraphs.join('')}</body></html>`
  return { subject: fill(found.subject, data).replace(/[\u0000-\u001F\u007F\u2028\u2029]+/g, ' '), text, html }
}

/** Milliseconds after which a mail server that says nothing is given up. The job tries again later. */
const PATIENCE = 20_000

/** Mails by the university's mail server; without one they are written to a folder. */
export function createMail(
  config: Pick<Config, 'smtpUrl' | 'smtpTls' | 'mailFrom' | 'mailFolder' | 'publicUrl'>,
  log: Log,
  {
    patience = PATIENCE,
    own = async () => null,
  }: {
    patience?: number
    /** What the university says itself in a mail; null: what is shipped. */
    own?: (key: string, lang: Language) => Promise<MailText | null>
  } = {},
): Mail {
  const compose = async (mail: MailInput) => composeMail(mail, await own(mail.key, mail.lang ?? 'ar'))
  if (!config.smtpUrl) {
    const folder = config.mailFolder
    return {
      async send(mail) {
        const { subject, text } = await compose(mail)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = path.join(
          folder,
          `${new Date().toISOString().replaceAll(':', '-')} ${randomUUID().slice(0, 8)}.txt`,
        )
        for (const { filename, content } of mail.attachments ?? [])
          await writeFile(`${file.slice(0, -4)} ${path.basename(filename)}`, content, { mode: 0o600 })
        await writeFile(file, `To: ${mail.to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 })
        log.info({ file, key: mail.key }, 'No SMTP_URL is set: the mail is in this file')
      },
      async verify() {},
      close() {},
    }
  }
  const transport = createTransport(
    {
      url: config.smtpUrl,
      requireTLS: config.smtpTls,
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
      dnsTimeout: patience,
    },
    { from: config.mailFrom },
  )
  return {
    async send(mail) {
      await transport.sendMail({
        to: mail.to,
        ...(mail.id && { messageId: `<${mail.id}@${new URL(config.publicUrl).hostname}>` }),
        ...(mail.attachments && { attachments: [...mail.attachments] }),
        ...(mail.unsubscribe && { list: { unsubscribe: mail.unsubscribe } }),
        ...(await compose(mail)),
      })
    },
    async verify() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}
