# The `pytrope` program on a small Debian: docker build -t pytrope . && docker run --rm -v "$PWD:/src" pytrope check
FROM rust:1.95-slim-bookworm AS build
WORKDIR /pytrope
COPY . .
RUN cargo build --locked --profile dist --package pytrope

FROM debian:bookworm-slim
COPY --from=build /pytrope/target/dist/pytrope /usr/local/bin/pytrope
COPY --from=build /pytrope/LICENSE-MIT /pytrope/LICENSE-APACHE /usr/share/doc/pytrope/
USER nobody
WORKDIR /src
ENTRYPOINT ["pytrope"]
CMD ["--help"]
