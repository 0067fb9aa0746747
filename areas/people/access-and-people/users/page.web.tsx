import { personRecordCalls } from '#areas/people/people/records/records.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import ResourceDetail from '#kit/web/detail/resource-detail.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { Navigate, addressOfRecord, useLocation, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import web from './user.web.tsx'

/** A person by the account: who works here has one page, that of the record; of everybody else this is it. */
export default function UserPage() {
  const id = Number(useParams().id)
  const { search } = useLocation()
  const { data, error, refetch } = useCall(personRecordCalls.pageOf, { params: { id } })
  if (error)
    return (
      <Page title={null}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page title={null} subtitle={'\u00A0'}>
        {null}
      </Page>
    )
  const address = data.data.kind !== 'user' && addressOfRecord(data.data.kind, 'show', data.data.id)
  return address ? <Navigate to={`${address}${search}`} replace /> : <ResourceDetail web={web} />
}
