import { call, id } from '#kit/contract/index.ts'
import { rowSchema } from '#kit/contract/resource.ts'
import { z } from 'zod'
import { program } from './program.contract.ts'

const answer = z.object({ data: rowSchema(program, 'detail') })
const plan = {
  /** The whole plan in its order; none: the program has none. Stages that stay carry their id. */
  research_plan: program.fields.research_plan.schema,
  version: z.int().optional(),
}
const example = {
  research_plan: [
    { stage: 'coursework', times: 1, earliest_semester: 1, latest_semester: 2 },
    { stage: 'proposal', times: 1, earliest_semester: 2, latest_semester: 3 },
    { stage: 'defence', times: 1, earliest_semester: 4 },
  ],
}

/** Calls of research plans. Both replace the plan of a postgraduate program, and answer with the program. */
export const researchCalls = {
  setResearchPlan: call('POST', '/programs/research-plan', {
    permission: 'edit_study_plan',
    summary: ['Set the research plan of a program', 'ضبط الخطة البحثية لبرنامج'],
    body: z.strictObject({ program_id: id, ...plan }),
    response: answer,
    example: { program_id: 6, ...example },
  }),
  changeResearchPlan: call('POST', '/programs/research-plan/{id}', {
    permission: 'edit_study_plan',
    summary: ['Set the research plan of the program of this id', 'ضبط الخطة البحثية للبرنامج بالرقم'],
    body: z.strictObject(plan),
    response: answer,
    example,
  }),
}
