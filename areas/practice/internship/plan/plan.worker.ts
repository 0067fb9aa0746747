import { serveRun } from '#kit/server/workers/run.ts'
import { solvePlan, type PlanSolution, type PlanTask, type PlanTold } from './solve.rules.ts'

serveRun<PlanTask, PlanTold, PlanSolution>(solvePlan)
