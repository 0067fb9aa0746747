import { send } from '../api/client.ts'
import { calls } from './calls.ts'

/** Switches to another of the user's records: everything starts again. */
export async function chooseRecord(id: number): Promise<void> {
  await send(calls.chooseRecord, { params: { id } })
  window.location.assign('/')
}
