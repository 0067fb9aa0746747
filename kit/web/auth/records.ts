import { send } from '../api/client.ts'
import { calls } from './calls.ts'

/** Works as another of the own records: everything begins anew. */
export async function chooseRecord(id: number): Promise<void> {
  await send(calls.chooseRecord, { params: { id } })
  window.location.assign('/')
}
