import { internshipPaperHandlers } from './certificate/certificate.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { rotationMarkHandlers, rotationMarkWork } from './grades/offering.server.ts'
import { emtyazInternHandlers } from './interns/intern.server.ts'
import { internshipArea } from './internship.contract.ts'
import { internshipTold } from './internship.told.contract.ts'
import { rotationHandlers, rotationManyJob, rotationWork } from './rotations/rotation.server.ts'
import { emtyazSetupHandlers } from './setup/setup.server.ts'
import { emtyazTrainingHandlers } from './trainings/training.server.ts'

export const internshipServer = defineAreaServer({
  area: internshipArea,
  told: internshipTold,
  handlers: [
    internshipPaperHandlers,
    emtyazSetupHandlers,
    emtyazTrainingHandlers,
    emtyazInternHandlers,
    rotationHandlers,
    rotationMarkHandlers,
  ],
  jobs: [rotationManyJob],
  work: [rotationWork, ...rotationMarkWork],
})
