import { defineAreaServer } from '#kit/server/http/area.ts'
import { hear } from '#kit/server/base/hears.ts'
import { gradingFacts } from './basis.server.ts'
import { attempts } from './control/attempts.server.ts'
import { controlHandlers } from './control/control.server.ts'
import { controlFlow } from './control/steps.server.ts'
import { gradeHandlers } from './grades/grades.server.ts'
import { gradeSheetHandlers } from './grades/sheet.server.ts'
import { gradingArea } from './grading.contract.ts'
import { recheckHandlers } from './rechecks/recheck.server.ts'
import { recheckWork } from './rechecks/work.server.ts'
import { backupHandlers, paperChangeWork } from './barcodes/backup.server.ts'
import { barcodeHandlers } from './barcodes/barcodes.server.ts'
import { signingHandlers, verifyGradesJob } from './signing/signing.server.ts'
import { markHandlers } from './marks/marks.server.ts'
import { eligibilities, termRows } from './terms/outdated.server.ts'
import { finishTermJob, termHandlers } from './terms/terms.server.ts'
import { offeringControlSteps } from '#areas/study/offerings/offering.server.ts'
import { gradingWork } from './control/work.server.ts'
import { gradingTold } from './grading.told.contract.ts'

export const gradingServer = defineAreaServer({
  area: gradingArea,
  told: gradingTold,
  handlers: [
    markHandlers,
    gradeHandlers,
    gradeSheetHandlers,
    controlHandlers,
    controlFlow.handlers,
    termHandlers,
    signingHandlers,
    barcodeHandlers,
    backupHandlers,
    recheckHandlers,
  ],
  jobs: [finishTermJob, verifyGradesJob],
  work: [...gradingWork, ...recheckWork, paperChangeWork],
  // One call of the documents opens offerings and takes steps of control with them.
  hears: [hear(offeringControlSteps, (ctx, action, ids, reason) => controlFlow.takeEach(ctx, ids, action, { reason }))],
  facts: gradingFacts,
  basis: [attempts, termRows, eligibilities],
})

export { computeGrades, computeRegistrationGrades } from './grades/compute.server.ts'
export { finishTerm } from './terms/terms.server.ts'
