/** Verifying signed grade sheets, as far as who asks reaches offerings. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { handle } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { SEAL, headOfChain } from './sign.server.ts'
import { signingCalls, type Verified } from './signing.contract.ts'
import { verifyGrades, type VerifyingGrades } from './verify.server.ts'

/** The chain as a whole, and the sheets that the person reaches. */
export const verifyGradesJob = defineJob<Pick<VerifyingGrades, 'noted'>, Verified>({
  name: 'verify-grades',
  retries: 1,
  run: async (ctx, { noted }, progress) =>
    verifyGrades(ctx.services.db, {
      seal: await sealOf(ctx.services, SEAL),
      where: scopeCondition(ctx, 'verify_grades', offeringReach(ctx, 'o')),
      students: scopeCondition(ctx, 'verify_grades', studentReach(ctx, 's')),
      noted,
      progress,
    }),
})

export const signingHandlers = [
  handle(signingCalls.head, async (ctx) => ({ data: await headOfChain(ctx.db) })),
  handle(signingCalls.verify, async (ctx, { body }) => ({
    job_id: await ctx.write((tx) =>
      ctx.services.jobs.send(tx, verifyGradesJob, body, { actor: ctx.actor, lang: ctx.lang }),
    ),
  })),
]
