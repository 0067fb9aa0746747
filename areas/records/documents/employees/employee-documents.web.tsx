import type { Ref } from '#kit/contract/index.ts'
import { Name } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { employeeDocuments } from './employee-documents.contract.ts'

export default resourceWeb(employeeDocuments.document as never, {
  what: ((row: { kind: Ref | null }) => <Name row={row.kind} />) as never,
})
