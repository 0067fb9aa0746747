import { IssuedPapers } from '#kit/web/papers/papers.tsx'
import { staffPapers } from './paper.contract.ts'

/** Papers that were issued to who works here: looked at, revoked, and said by the person how much others see. */
export function PapersOfWorker({ account }: { account: number | null }) {
  return account === null ? null : <IssuedPapers of={staffPapers} id={account} />
}
