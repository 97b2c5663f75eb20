/** A Durable Object with nothing but its storage. */
export class Storage {}

export default { fetch: () => new Response("nothing to see here") };
