import { isObject } from '../../objects.ts'
import type { Json, JsonObject } from './parse.ts'

/**
 * Makes the addresses of servers absolute: those that are relative are relative to the address that the specification
 * was fetched from. Servers of operations and paths are included.
 */
export function placeServers(document: JsonObject, url: string): void {
  const place = (holder: JsonObject) => {
    for (const server of objectsIn(holder['servers'])) {
      if (typeof server['url'] === 'string') server['url'] = absolute(server['url'], url)
    }
  }
  place(document)
  for (const path of objectsIn(document['paths'])) {
    place(path)
    objectsIn(path).forEach(place)
  }
}

/**
 * What begins with a name may be meant as a host whose scheme is missing, and what begins with a variable as one that
 * contains the host.
 */
function absolute(address: string, url: string): string {
  if (!/^(?:\.{0,2}\/|\.{1,2}$)/.test(address) || !URL.canParse(address, url)) return address
  return new URL(address, url).href.replace(/%7[BD]/gi, decodeURIComponent)
}

const objectsIn = (value: Json | undefined): JsonObject[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : []).filter((each): each is JsonObject =>
    isObject(each),
  )
