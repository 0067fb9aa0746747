import { defineAreaServer } from '#kit/server/http/area.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { addressHandlers, sendAddressLink } from './own/address.server.ts'
import { ownHandlers } from './own/own.server.ts'
import { academicRecordHandlers } from './record/record.server.ts'
import { sectionHandlers } from './sections/section.server.ts'
import './standing/leavers.server.ts'
import { sendShareLink, shareLinkHandlers } from './shares/links.server.ts'
import { shareHandlers } from './shares/share.server.ts'
import { statusHandlers } from './standing/status.server.ts'
import { heldHandlers } from './standing/held.server.ts'
import { standingHandlers } from './standing/standing.server.ts'
import { students } from './student/student.server.ts'
import { studentsArea } from './students.contract.ts'
import { planExceptionHandlers } from './study-plan/exceptions.server.ts'
import { degreeAnswers, studyPlanHandlers } from './study-plan/study-plan.server.ts'
import { studentTagHandlers } from './tags/student-tags.server.ts'
import { studentPaperBasis } from './transcript/basis.server.ts'
import { transcriptHandlers } from './transcript/transcript.server.ts'
import { formerNameHandlers } from './names/former.server.ts'
import { studentsTold } from './students.told.contract.ts'

const countryLookup: LookupSource = {
  name: 'country',
  table: 'countries',
  label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
  search: `fold_text(r.code || ' ' || r.name || ' ' || r.name_local)`,
  order: 'r.name',
  permission: 'signed_in',
  scope: 'university',
}

export const studentsServer = defineAreaServer({
  area: studentsArea,
  told: studentsTold,
  basis: [studentPaperBasis],
  handlers: [
    students.handlers,
    sectionHandlers,
    formerNameHandlers,
    standingHandlers,
    heldHandlers,
    statusHandlers,
    academicRecordHandlers,
    studyPlanHandlers,
    planExceptionHandlers,
    transcriptHandlers,
    ownHandlers,
    addressHandlers,
    shareHandlers,
    shareLinkHandlers,
    studentTagHandlers,
  ],
  hears: [degreeAnswers],
  jobs: [sendShareLink, sendAddressLink],
  lookups: [countryLookup],
})
