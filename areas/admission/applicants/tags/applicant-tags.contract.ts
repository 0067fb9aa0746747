import { tagging } from '#areas/people/tags/tagging.contract.ts'

/** Applicants can have tags. */
export const applicantTags = tagging('applicant', {
  permission: 'attach_tag',
  attach: ['/tags/attach-applicants', ['Put tags on applicants', 'إضافة وسوم إلى متقدمين']],
  remove: ['/tags/remove-applicants/tags', ['Take tags off applicants', 'إزالة وسوم عن متقدمين']],
})
