import { defineAreaServer } from '#kit/server/http/area.ts'
import { askTrainingOrganisationJob } from './organisations/ask.server.ts'
import { organisationLinkHandlers } from './organisations/link.server.ts'
import { askableOrganisations, servedOrganisations } from './organisations/organisation.server.ts'
import { trainingOverviewHandlers } from './places/overview.server.ts'
import { trainingHandlers } from './places/training.server.ts'
import { trainingPaperHandlers } from './students-trainings/paper.server.ts'
import { studentTrainingHandlers, studentTrainingWork } from './students-trainings/student-training.server.ts'
import { trainingsArea } from './trainings.contract.ts'
import { trainingsTold } from './trainings.told.contract.ts'

export const trainingsServer = defineAreaServer({
  area: trainingsArea,
  told: trainingsTold,
  handlers: [
    servedOrganisations.handlers,
    trainingHandlers,
    trainingOverviewHandlers,
    studentTrainingHandlers,
    trainingPaperHandlers,
    organisationLinkHandlers,
  ],
  jobs: [askTrainingOrganisationJob],
  work: [studentTrainingWork],
  hears: [askableOrganisations],
})
