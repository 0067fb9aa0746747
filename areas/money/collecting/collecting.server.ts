import { defineAreaServer } from '#kit/server/http/area.ts'
import { collectingArea } from './collecting.contract.ts'
import { collectingTold } from './collecting.told.contract.ts'
import { planJob, plansHeard } from './plans/judge.server.ts'
import { paymentPlanHandlers, planWork } from './plans/plan.server.ts'
import { promiseHandlers, promiseJob, promisesHeard } from './promises/promise.server.ts'
import { reminderJob } from './reminders/remind.server.ts'
import { reminderHandlers, remindersHeard } from './reminders/reminder.server.ts'
import { reminderSteps } from './steps/step.server.ts'

export const collectingServer = defineAreaServer({
  area: collectingArea,
  told: collectingTold,
  handlers: [reminderSteps.handlers, reminderHandlers, promiseHandlers, paymentPlanHandlers],
  hears: [remindersHeard, promisesHeard, plansHeard],
  jobs: [planJob, reminderJob, promiseJob],
  work: [planWork],
})
