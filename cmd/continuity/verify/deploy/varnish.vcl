# Continuity behind Varnish: put the conditions into your own VCL, before anything
# that touches cookies or methods.
#
# varnishd needs -p http_req_hdr_len=32k -p http_req_size=64k -p workspace_client=128k
# -p workspace_backend=128k, since visitors may carry many cookies of other tools.
#
# The service then runs with
#   CONTINUITY_LISTEN=127.0.0.1:8080
#   CONTINUITY_TRUSTED_PROXIES=127.0.0.1
#   CONTINUITY_CLIENT_IP_HEADER=X-Forwarded-For
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    # The client as Varnish sees it, and nothing that the client says of itself.
    set req.http.X-Forwarded-For = client.ip;

    # Keys and visitors: never looked up, never stored.
    if (req.url ~ "^/(v1|t)/") {
        return (pass);
    }
    # The client's files are everybody's.
    if (req.url ~ "^/capture") {
        unset req.http.Cookie;
    }
}
