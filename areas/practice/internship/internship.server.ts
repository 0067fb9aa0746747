import { internshipPaperHandlers } from './certificate/certificate.server.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { rotationMarkHandlers, rotationMarkWork } from './grades/offering.server.ts'
import { emtyazInternHandlers } from './interns/intern.server.ts'
import { internshipArea } from './internship.contract.ts'
import { rotationBoardHandlers } from './board/board.server.ts'
import { internshipTold } from './internship.told.contract.ts'
import { rotationPlanHandlers, rotationPlanJob } from './plan/plan.server.ts'
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
    rotationPlanHandlers,
    rotationBoardHandlers,
  ],
  jobs: [rotationManyJob, rotationPlanJob],
  work: [rotationWork, ...rotationMarkWork],
})
