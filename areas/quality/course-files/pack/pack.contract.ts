import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'

/** The pack of a program: made by a job, whose result is the address of the file. */
export const packCalls = {
  makePack: call('POST', '/courseFile/pack', {
    permission: 'export_courseFile',
    summary: ['Make the accreditation pack of a program', 'إعداد حزمة اعتماد برنامج'],
    body: z.strictObject({
      program_id: id,
      from_year_id: id,
      to_year_id: id,
      lang: z.enum(['ar', 'en']).default('ar'),
    }),
    response: z.object({ job_id: z.string() }),
    example: { program_id: 1, from_year_id: 1, to_year_id: 1 },
  }),
}
/** What the job answers. */
export interface MadePack {
  readonly name: string
  readonly url: string
  readonly files: number
}
