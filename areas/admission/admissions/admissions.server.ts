import { defineAreaServer } from '#kit/server/http/area.ts'
import { admissions } from './admissions/admission.server.ts'
import { certificateTypes } from './certificate-types/certificate-type.server.ts'
import { admissionsTold } from './admissions.told.contract.ts'
import { admissionsArea } from './admissions.contract.ts'
import { admissionProgramHandlers } from './programs/admission-program.server.ts'

export const admissionsServer = defineAreaServer({
  area: admissionsArea,
  told: admissionsTold,
  handlers: [admissions.handlers, admissionProgramHandlers, certificateTypes.handlers],
})
