import { call, id, ref } from '#kit/contract/index.ts'
import { thesisFlow } from '#areas/research/theses/thesis/flow.contract.ts'
import { z } from 'zod'

const state = z.enum(thesisFlow.states.map(({ value }) => value))
/** Theses that are written in projects. Who reads sees those within the own reach of both. */
export const projectThesisCalls = {
  theses: call('GET', '/projects/theses/{id}', {
    permission: 'show_project',
    summary: ['Theses written in a research project', 'الرسائل العلمية المرتبطة بمشروع بحثي'],
    response: z.object({
      data: z.array(z.object({ id, title: z.string(), title_local: z.string(), student: ref, status: state })),
    }),
  }),
  linkTheses: call('PUT', '/projects/theses/{id}', {
    permission: 'edit_project',
    summary: ['Say which theses are written in a research project', 'تحديد الرسائل العلمية المرتبطة بمشروع بحثي'],
    body: z.strictObject({ thesis_ids: z.array(id).max(200) }),
    response: z.object({ data: z.object({ id }) }),
    example: { thesis_ids: [] },
  }),
  ofThesis: call('GET', '/projects/of-thesis/{id}', {
    permission: ['access_project', 'show_project'],
    summary: ['Research projects in which a thesis is written', 'المشروعات البحثية المرتبطة برسالة'],
    response: z.object({
      data: z.array(z.object({ id, code: z.string(), name: z.string(), name_local: z.string(), status: z.string() })),
    }),
  }),
}
