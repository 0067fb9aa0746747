import { defineAreaServer } from '#kit/server/http/area.ts'
import { trainingHandlers } from './places/training.server.ts'
import { studentTrainingHandlers, studentTrainingWork } from './students-trainings/student-training.server.ts'
import { trainingsArea } from './trainings.contract.ts'
import { trainingsTold } from './trainings.told.contract.ts'

export const trainingsServer = defineAreaServer({
  area: trainingsArea,
  told: trainingsTold,
  handlers: [trainingHandlers, studentTrainingHandlers],
  work: [studentTrainingWork],
})
