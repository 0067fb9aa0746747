import { serveTagging } from '#areas/people/tags/tagging.server.ts'
import { applicants } from '../applicant/applicant.server.ts'
import { applicantTags } from './applicant-tags.contract.ts'

export const applicantTagHandlers = serveTagging(applicantTags, {
  table: 'applicants',
  joining: 'applicant_tags',
  from: 'applicant_id',
  scope: (ctx) => applicants.scope(ctx, applicantTags.permission),
})
