/** Addresses of people who have no account: a code goes there by mail, and a key to what they wrote, which nobody reads on the way. */
import { createHash } from 'node:crypto'
import type { Language } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { universityHead } from '../base/university.ts'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import { addressLimit, attempt } from './attempts.ts'
import { newMailedCode, takeMailedCode, ticketOf } from './mailed-code.ts'
import { takePuzzle } from './puzzle.ts'
import { sealOf } from './sealed.ts'

/** Whose address it is, and in which language it is written to. */
export interface CodeReader {
  readonly email: string
  readonly language: Language
}
/** How codes of one kind of page are sent and taken. */
export interface MailedCodes {
  /** Sends one: the area lists it among its jobs. */
  readonly job: JobDefinition<CodeReader>
  /**
   * Lets a code be sent once the puzzle is solved. The answer is the same for every address.
   *
   * @throws {Refusal} 403 `puzzle_wrong`; 429
   */
  ask(ctx: Ctx, asked: CodeReader & { readonly challenge: string; readonly nonce: string }): Promise<void>
  /**
   * Takes the code of an address, and gives the ticket that says so for an hour.
   *
   * @throws {Refusal} 403 `mailed_code_wrong`, `mailed_code_over`; 429
   */
  verify(ctx: Ctx, email: string, code: string): Promise<string>
}

/**
 * Codes of a page for people without an account.
 *
 * @param given.what what is counted: mails to one address, and tries of one network
 * @param given.mail key of the text, with `code`, `minutes` and `university`
 */
export function mailedCodes({ what, job: name, mail }: { what: string; job: string; mail: string }): MailedCodes {
  const job = defineJob({
    name,
    retries: 5,
    // The code is made here, so that it stands in no other place than the mail.
    async run(ctx, { email, language }: CodeReader) {
      const { code, minutes } = await newMailedCode(ctx, email)
      const head = await universityHead(ctx)
      await ctx.services.mail.send({
        to: email,
        lang: language,
        key: mail,
        data: {
          code: `${code.slice(0, 4)} ${code.slice(4)}`,
          minutes,
          university: language === 'ar' ? head.name_local : head.name,
        },
      })
    },
  })
  return {
    job,
    async ask(ctx, { email, language, challenge, nonce }) {
      await takePuzzle(ctx, challenge, nonce)
      // Mails to one address are few, whoever asks for them.
      const key = `${what} ${createHash('sha256').update(email).digest('base64url')}`
      await attempt(ctx.pool, [{ key, free: 5, longest: 900 }])
      await ctx.write((tx) => ctx.services.jobs.send(tx, job, { email, language }, { actor: null }))
    },
    async verify(ctx, email, code) {
      const right = await attempt(ctx.pool, [addressLimit(what, ctx.ip)])
      await takeMailedCode(ctx, email, code)
      await right()
      return ticketOf(ctx, email)
    },
  }
}

/** A key that a job writes into a mail waits sealed: nobody who reads the jobs can use it. */
export async function sealKey(ctx: Ctx, purpose: string, id: number, key: string): Promise<string> {
  const seal = await sealOf(ctx.services, purpose)
  return seal.seal(Buffer.from(key), String(id)).toString('base64')
}
/** The key that was sealed for this record. */
export async function unsealKey(ctx: Ctx, purpose: string, id: number, sealed: string): Promise<string> {
  const seal = await sealOf(ctx.services, purpose)
  return seal.open(Buffer.from(sealed, 'base64'), String(id)).toString()
}
