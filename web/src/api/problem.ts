// What went wrong with a request, in the server's own words where it had any.
export interface Problem {
  title: string;
  status: number; // 0 where no answer came
  code: string;
  detail: string;
  place?: string;
}

function text_of(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

export function read_problem(body: unknown, status: number): Problem {
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const problem: Problem = {
    title: text_of(fields["title"], `The server answered ${status}`),
    status,
    code: text_of(fields["code"], `http_${status}`),
    detail: text_of(fields["detail"], ""),
  };
  const place = text_of(fields["place"], "");
  if (place) problem.place = place;
  return problem;
}

export const unreachable: Problem = {
  title: "The server does not answer",
  status: 0,
  code: "unreachable",
  detail: "The process that served this page has ended, or the connection was lost. Start `fiducial serve` again and retry.",
};

export class RequestFailed extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
    this.problem = problem;
  }
}
