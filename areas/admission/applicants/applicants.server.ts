import { defineAreaServer } from '#kit/server/http/area.ts'
import { applicantHandlers } from './applicant/applicant.server.ts'
import { applicantDeskHandlers } from './applicant/desk.server.ts'
import { applicantEquivalences, applicantMails, sendApplicantStatus } from './applicant/flow.server.ts'
import { applicantsArea } from './applicants.contract.ts'
import { applicantsTold } from './applicants.told.contract.ts'
import { applicantMergeHandlers } from './merging/merge.server.ts'
import { applicantTagHandlers } from './tags/applicant-tags.server.ts'
import { applyHandlers, sendApplicationCode, sendApplicationLink } from './apply/apply.server.ts'
import { applyFirst } from './apply/first.server.ts'
import { sweepApplicationUploads } from './apply/upload.server.ts'

export const applicantsServer = defineAreaServer({
  area: applicantsArea,
  told: applicantsTold,
  handlers: [applicantHandlers, applicantDeskHandlers, applyHandlers, applicantMergeHandlers, applicantTagHandlers],
  firsts: [applyFirst],
  hears: [applicantMails, applicantEquivalences],
  jobs: [sendApplicantStatus, sendApplicationCode, sendApplicationLink, sweepApplicationUploads],
})
