import { defineAreaServer } from '#kit/server/http/area.ts'
import { admissionPaymentsArea } from './admission-payments.contract.ts'
import { admissionPaymentHandlers } from './desk/desk.server.ts'
import { admissionPaymentWork, applicantFeesHeard, applicantFeesJob } from './fees/follow.server.ts'
import { sendApplicantFee } from './fees/mail.server.ts'
import { fullScholarshipHandlers } from './scholarship/full.server.ts'
import { applicantPaperHandlers } from './website/paper.server.ts'
import { applicantPaymentHandlers } from './website/payment.server.ts'

export const admissionPaymentsServer = defineAreaServer({
  area: admissionPaymentsArea,
  handlers: [applicantPaymentHandlers, applicantPaperHandlers, admissionPaymentHandlers, fullScholarshipHandlers],
  hears: applicantFeesHeard,
  jobs: [applicantFeesJob, sendApplicantFee],
  work: admissionPaymentWork,
})
